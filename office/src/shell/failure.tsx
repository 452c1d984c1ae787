/** Why a call failed, read aloud at once; nothing while it has not. */
export function Failure({ error }: { readonly error: Error | null | undefined }) {
  if (!error) return null;
  return (
    <p className="notice notice-bad" role="alert">
      {error.message}
    </p>
  );
}
