import { CloseButton, TextInput } from "@mantine/core";
import { MagnifyingGlassIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";
import { useTyped } from "./useTyped";

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
  const { typed, type } = useTyped(value, onChange, PAUSE_MS);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      leftSection={icon}
      rightSection={
        typed && <CloseButton size="sm" aria-label={clearLabel} onClick={() => type("")} />
      }
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
