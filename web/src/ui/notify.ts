import { notifications } from "@mantine/notifications";
import { toProblem } from "@/api/problem";

export function notifyDone(message: string): void {
  notifications.show({ color: "green", message });
}

export function notifyProblem(title: string, error: unknown): void {
  notifications.show({ color: "red", title, message: toProblem(error).message, autoClose: 10_000 });
}
