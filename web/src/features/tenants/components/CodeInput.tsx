import { TextInput, type TextInputProps } from "@mantine/core";

/** For a code of an authenticator app, or a recovery code in its place. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      label="Code"
      description="The six digits that your authenticator app shows, or a recovery code"
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
