/** Icons are 24 × 24 line drawings in the color of the text; they never replace a word. */
const paths = {
  envelope: 'M3 6.5h18v12H3zM3.5 7l8.5 6.5L20.5 7',
  printer: 'M7 9V3.5h10V9M7 17H3.5V9h17v8H17M7 14h10v6.5H7z',
  sent: 'M9.5 6.5H21v11H9.5M10 7l5.5 4.5L21 7M2.5 9h4M4 12h3.5M2.5 15h4',
  returned: 'M14.5 17.5H3v-11h18v4M3.5 7l8.5 6 4-2.8M21.5 17.5h-6m2.5-3-3 3 3 3',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  checkCircle: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8 12.3l2.8 2.8L16 9.5',
  ballotBox: 'M4 12.5h16v8H4zM7.5 12.5v-9h9v9M10 8l1.5 1.5L14.5 6.5',
  caution: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.2',
  stop: 'M8.2 3h7.6L21 8.2v7.6L15.8 21H8.2L3 15.8V8.2zM12 7.5v5.5M12 16v.2',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5M12 7.8V8',
  close: 'm6 6 12 12M18 6 6 18',
  chevron: 'm6 9.5 6 6 6-6',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3.5 12h17M12 3c-5 5.5-5 12.5 0 18M12 3c5 5.5 5 12.5 0 18',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.5-4 3.5-6 7.5-6s7 2 7.5 6',
  logOut: 'M14 4H5v16h9M10 12h11m-4-4 4 4-4 4',
  message: 'M3.5 4.500h17v12h-9l-4.5 4v-4h-3.500zM8 9h8M8 12.500h5',
  phone:
    'M5 3.5h4l1.8 4.8-2.3 1.6a12 12 0 0 0 5.6 5.6l1.6-2.3 4.8 1.8v4c0 1-.8 1.7-1.8 1.6C10.5 20 4 13.5 3.4 5.3 3.3 4.3 4 3.5 5 3.5Z',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8',
  shield: 'M12 3 4.5 6v5.5c0 4.5 3 8 7.5 9.5 4.5-1.5 7.5-5 7.5-9.5V6zM8.5 12l2.5 2.5 4.5-5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5.3l3.5 2',
} as const;

export type IconName = keyof typeof paths;

/** Decoration beside words, so hidden from screen readers. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      className={className ? `icon ${className}` : 'icon'}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
