/** Why something failed, read aloud at once; nothing while it has not. */
export function Failure({
  error,
  text = error?.message,
}: {
  readonly error?: Error | null | undefined;
  /** Where there is no error to say it. */
  readonly text?: string | null | undefined;
}) {
  if (!text) return null;
  return (
    <p className="notice notice-bad lines" role="alert">
      {text}
    </p>
  );
}
