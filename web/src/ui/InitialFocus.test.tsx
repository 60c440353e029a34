import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { expect, test } from "vitest";
import { theme } from "@/theme";
import { Modal } from "./Modal";
import { confirmDanger } from "./confirm";

function Opener({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button onClick={() => setOpened(true)}>Open</button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Sure?">
        {children}
      </Modal>
    </>
  );
}

function show(children: ReactNode) {
  const frame = (inside: ReactNode) => (
    <MantineProvider theme={theme} env="test">
      <ModalsProvider>{inside}</ModalsProvider>
    </MantineProvider>
  );
  const { rerender } = render(frame(<Opener>{children}</Opener>));
  const again = (changed: ReactNode) => rerender(frame(<Opener>{changed}</Opener>));
  return { again, user: userEvent.setup() };
}

const focused = () => document.activeElement?.textContent || document.activeElement?.getAttribute("aria-label");
const FORM = (
  <>
    <input aria-label="Before" />
    <form>
      <input aria-label="Hidden" type="hidden" />
      <input aria-label="Off" disabled />
      <input aria-label="First" />
      <button>Save</button>
    </form>
  </>
);
const QUESTION = (
  <>
    <button>Cancel</button>
    <button data-autofocus>Promote</button>
  </>
);

test.each([
  ["the confirming act", QUESTION, "Promote"],
  ["the first field of a form", FORM, "First"],
  ["what is marked", <div key="x">{FORM}<input aria-label="Marked" data-autofocus /></div>, "Marked"],
])("the focus is on %s, each time", async (_what, content, expected) => {
  const { user } = show(content);
  for (const _time of [1, 2, 3]) {
    await user.click(screen.getByText("Open"));
    await waitFor(() => expect(focused()).toBe(expected));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(focused()).toBe("Open"));
  }
});

test("what comes late gets the focus when it is there, and keeps what was chosen meanwhile", async () => {
  const loading = <p role="status" aria-busy="true">Loading</p>;
  const { again, user } = show(loading);
  await user.click(screen.getByText("Open"));
  await waitFor(() => expect(document.activeElement?.closest("[role=dialog]")).toBeTruthy());
  expect(focused()).toBe("Loading");
  again(<>{QUESTION}{false}</>);
  await waitFor(() => expect(focused()).toBe("Promote"));
  act(() => screen.getByText("Cancel").focus());
  again(<>{QUESTION}<p>More</p></>);
  await screen.findByText("More");
  expect(focused()).toBe("Cancel");
});

test("when what has the focus goes, it stays in the dialog", async () => {
  const { again, user } = show(QUESTION);
  await user.click(screen.getByText("Open"));
  await waitFor(() => expect(focused()).toBe("Promote"));
  again(<button key="other" data-autofocus>Try again</button>);
  await waitFor(() => expect(focused()).toBe("Try again"));
});

test("a click beside what is asked moves nothing", async () => {
  const { user } = show(<>{QUESTION}<p>Words</p></>);
  await user.click(screen.getByText("Open"));
  await waitFor(() => expect(focused()).toBe("Promote"));
  await user.click(screen.getByText("Words"));
  expect(focused()).not.toBe("Promote");
});

test("before something that cannot be taken back it is on Cancel, each time", async () => {
  const { user } = show(null);
  for (const _time of [1, 2]) {
    act(() => confirmDanger({ title: "Delete?", children: "For good.", action: "Delete", onConfirm: () => {} }));
    await waitFor(() => expect(focused()).toBe("Cancel"));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  }
});
