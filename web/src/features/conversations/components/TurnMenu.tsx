import { ActionIcon, Menu } from "@mantine/core";
import { CodeIcon, CopyIcon, DotsHorizontalIcon, Link2Icon } from "@radix-ui/react-icons";
import { useRouter } from "@tanstack/react-router";
import { copyText } from "@/ui/copy";
import { notifyDone } from "@/ui/notify";
import classes from "./conversations.module.css";

interface TurnMenuProps {
  project: string;
  conversation: string;
  turnId: string;
  asWritten: boolean;
  onAsWritten: (asWritten: boolean) => void;
}

/** What one seldom wants to know of a turn: its id, a link to it, its text to the letter. */
export function TurnMenu({ project, conversation, turnId, asWritten, onAsWritten }: TurnMenuProps) {
  const router = useRouter();
  const copy = async (what: string, text: string) => {
    notifyDone((await copyText(text)) ? `${what} copied.` : `This could not be copied: ${text}`);
  };
  const address = () => {
    const { href } = router.buildLocation({
      to: "/admin/agent-review/conversations/$project/$conversation",
      params: { project, conversation },
      search: { turn: turnId },
    });
    return new URL(href, window.location.origin).toString();
  };
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={26} aria-label="About this turn" className={classes.turnMenu}>
          <DotsHorizontalIcon aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          Turn <bdi className={classes.id}>{turnId}</bdi>
        </Menu.Label>
        <Menu.Item leftSection={<CopyIcon />} onClick={() => void copy("Turn id", turnId)}>
          Copy turn id
        </Menu.Item>
        <Menu.Item leftSection={<Link2Icon />} onClick={() => void copy("Link", address())}>
          Copy link
        </Menu.Item>
        <Menu.Item leftSection={<CodeIcon />} onClick={() => onAsWritten(!asWritten)}>
          {asWritten ? "Show formatted" : "Show as written"}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
