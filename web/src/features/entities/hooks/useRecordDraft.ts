import { useEffect, useMemo, useRef, useState } from "react";
import { toProblem } from "@/api/problem";
import type { Field } from "@/features/entity_types/lib/fields";
import { focusFirstInvalid } from "@/ui/focusFirstInvalid";
import { type Draft, type DraftValue, parseDraft, placeContentErrors, toDraft } from "../lib/draft";

interface Start {
  title: string;
  content: Record<string, unknown>;
}

/** The state of a form over a record: what was typed, and what is wrong with it. */
export function useRecordDraft(fields: readonly Field[], start: Start) {
  const [title, setTitle] = useState(start.title);
  const [typed, setTyped] = useState<Draft>({});
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [head, setHead] = useState<string | null>(null);
  const initial = useMemo(() => toDraft(start.content, fields), [start.content, fields]);
  const draft = { ...initial, ...typed };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (head !== null || Object.keys(errors).length > 0) focusFirstInvalid(form.current);
  }, [head, errors]);

  /** The content that was typed, or null with the reasons at their inputs. */
  const read = (): { title: string; content: Record<string, unknown> } | null => {
    const parsed = parseDraft(draft, fields);
    const found: Record<string, string> = Object.fromEntries(
      Object.entries(parsed.errors).map(([key, message]) => [`content.${key}`, message]),
    );
    if (title.trim() === "") found.title = "Give the record a title";
    setHead(null);
    setErrors(found);
    return Object.keys(found).length > 0 ? null : { title: title.trim(), content: parsed.content };
  };

  const place = (error: unknown) => {
    const problem = toProblem(error);
    const placed = placeContentErrors(problem.errors, fields);
    setErrors(placed.fields);
    setHead(placed.head ?? (Object.keys(placed.fields).length > 0 ? null : problem.message));
  };

  return {
    form,
    title,
    setTitle,
    valueOf: (key: string): DraftValue => draft[key] ?? "",
    setValue: (key: string, value: DraftValue) => setTyped((before) => ({ ...before, [key]: value })),
    errors,
    head,
    read,
    place,
  };
}

export type RecordDraft = ReturnType<typeof useRecordDraft>;
