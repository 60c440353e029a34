import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { newId } from "@/api/ids";
import type { Reaction } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { notifyProblem } from "@/ui/notify";
import { type TranscriptPages, draftReaction, findOwn, withOwn } from "../lib/ownReaction";
import { TOPIC, transcriptKey } from "./useConversations";

interface Change {
  turnId: string;
  /** Null clears. */
  reaction: Reaction | null;
  text?: string | null;
}

/** This person's reaction to a turn: shown at once, taken back with a message when the server refuses it. */
export function useReact(project: string, conversation: string) {
  const queryClient = useQueryClient();
  const { slug, api, userId } = useTenant();
  const mutationKey = transcriptKey(slug, { project, conversation });
  const draw = (turnId: string, row: ReturnType<typeof findOwn>) =>
    queryClient.setQueriesData<TranscriptPages>({ queryKey: mutationKey }, (pages) =>
      withOwn(pages, turnId, userId, row),
    );
  const drawn = (turnId: string) =>
    queryClient
      .getQueriesData<TranscriptPages>({ queryKey: mutationKey })
      .map(([, pages]) => findOwn(pages, turnId, userId))
      .find((row) => row !== undefined);

  return useMutation({
    mutationKey,
    scope: { id: mutationKey.join("\n") }, // clicks reach the server in their order
    mutationFn: ({ turnId, reaction, text }: Change) =>
      unwrap(
        api.POST("/conversations/{tenant}/{project}/{conversation_id}/turns/{turn_id}/feedback", {
          params: { path: { tenant: slug, project, conversation_id: conversation, turn_id: turnId } },
          body: { reaction, ...(text ? { text } : {}) },
        }),
      ),
    onMutate: async ({ turnId, reaction, text = null }) => {
      await queryClient.cancelQueries({ queryKey: mutationKey });
      const before = drawn(turnId);
      const said = { turnId, userId, conversationId: conversation, text };
      const made =
        reaction === null
          ? undefined
          : draftReaction({ ...said, id: newId(), at: new Date().toISOString(), reaction });
      draw(turnId, made);
      return { before, made };
    },
    onError: (error, { turnId }, context) => {
      // A later click may have drawn something else by now.
      if (drawn(turnId)?.id === context?.made?.id) draw(turnId, context?.before);
      notifyProblem("Your reaction was not saved", error);
    },
    onSettled: () => {
      const last = queryClient.isMutating({ mutationKey }) === 1;
      return last ? queryClient.invalidateQueries({ queryKey: [TOPIC, slug] }) : undefined;
    },
  });
}
