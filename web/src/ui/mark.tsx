/** The product's mark: an envelope under a beacon's light. Decoration beside a name. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      className={`mark ${className ?? ''}`}
      viewBox="0 0 32 32"
      aria-hidden="true"
      focusable="false"
    >
      <rect className="mark-ground" width="32" height="32" rx="8" />
      <path className="mark-envelope" d="M7 12.5h18v12H7zM7 13l9 6.5 9-6.5" />
      <path className="mark-light" d="M16 8.5v-4M10.5 9 8.3 5.8M21.5 9l2.2-3.2" />
    </svg>
  );
}
