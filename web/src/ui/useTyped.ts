import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";

/**
 * What is typed in a field that writes to the address once typing pauses, and takes over what the address says when that
 * changes elsewhere. What was typed comes back from the address too, on a busy machine when one has typed on: that stays.
 */
export function useTyped(value: string, onChange: (value: string) => void, pauseMs: number) {
  const [typed, setTyped] = useState(value);
  const written = useRef<readonly string[]>([]); // and not come back yet
  const write = useDebouncedCallback((next: string) => {
    written.current = [...written.current, next];
    onChange(next);
  }, pauseMs);
  useEffect(() => {
    const place = written.current.indexOf(value);
    written.current = place === -1 ? [] : written.current.slice(place + 1);
    if (place === -1) setTyped((now) => (now.trim() === value ? now : value));
  }, [value]);
  const type = (next: string) => {
    setTyped(next);
    write(next.trim());
  };
  return { typed, type };
}
