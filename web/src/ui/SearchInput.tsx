import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { MagnifyingGlassIcon } from "@radix-ui/react-icons";
import { type ReactNode, useEffect, useRef, useState } from "react";

const PAUSE_MS = 300; // after the last key, before the server is asked

interface SearchInputProps {
  label: string;
  maxLength: number;
  value: string;
  onChange: (value: string) => void;
  icon?: ReactNode;
  clearLabel?: string;
}

/** Writes to the address once typing pauses; takes over what the address says when that changes elsewhere. */
export function SearchInput({
  label,
  maxLength,
  value,
  onChange,
  icon = <MagnifyingGlassIcon aria-hidden />,
  clearLabel = "Clear search",
}: SearchInputProps) {
  const [typed, setTyped] = useState(value);
  // What was typed here comes back as the value, on a busy machine when one has typed on: that stays.
  const expected = useRef<readonly string[]>([]);
  const report = useDebouncedCallback((next: string) => {
    expected.current = [...expected.current, next];
    onChange(next);
  }, PAUSE_MS);
  useEffect(() => {
    const place = expected.current.indexOf(value);
    expected.current = expected.current.slice(place === -1 ? expected.current.length : place + 1);
    if (place === -1) setTyped((now) => (now.trim() === value ? now : value));
  }, [value]);
  const change = (next: string) => {
    setTyped(next);
    report(next.trim());
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      leftSection={icon}
      rightSection={
        typed && <CloseButton size="sm" aria-label={clearLabel} onClick={() => change("")} />
      }
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
