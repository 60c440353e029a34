import { getRouteApi, useRouter } from "@tanstack/react-router";
import { SignInForm } from "@/features/tenants/components/SignInForm";
import { safeNext } from "@/features/tenants/lib/next";
import { useTitle } from "@/ui/useTitle";
import { Outside } from "./Outside";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  useTitle("Sign in");
  const router = useRouter();
  const { next } = route.useSearch();
  return (
    <Outside title="Sign in">
      <SignInForm onSignedIn={() => router.history.push(safeNext(next))} />
    </Outside>
  );
}
