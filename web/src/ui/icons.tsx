/** Icons are 24 × 24 line drawings in the colour of the text; they never stand for a word alone. */
const paths = {
  envelope: 'M3 6.500h18v12H3zM3.500 7l8.500 6.500L20.500 7',
  printer: 'M7 9V3.500h10V9M7 17H3.500V9h17v8H17M7 14h10v6.500H7z',
  sent: 'M9.500 6.500H21v11H9.500M10 7l5.500 4.500L21 7M2.500 9h4M4 12h3.500M2.500 15h4',
  returned: 'M14.500 17.500H3v-11h18v4M3.500 7l8.500 6 4-2.800M21.500 17.500h-6m2.500-3-3 3 3 3',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  checkCircle: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8 12.300l2.800 2.800L16 9.500',
  ballotBox: 'M4 12.500h16v8H4zM7.500 12.500v-9h9v9M10 8l1.500 1.500L14.500 6.500',
  caution: 'M12 4 2.800 19.500h18.400zM12 10v4.500M12 17v.2',
  stop: 'M8.200 3h7.600L21 8.200v7.600L15.800 21H8.200L3 15.800V8.200zM12 7.500v5.500M12 16v.2',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5M12 7.800V8',
  close: 'm6 6 12 12M18 6 6 18',
  chevron: 'm6 9.500 6 6 6-6',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3.500 12h17M12 3c-5 5.500-5 12.500 0 18M12 3c5 5.500 5 12.500 0 18',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.500 20.500c.5-4 3.500-6 7.500-6s7 2 7.500 6',
  logOut: 'M14 4H5v16h9M10 12h11m-4-4 4 4-4 4',
  phone:
    'M5 3.500h4l1.800 4.800-2.300 1.600a12 12 0 0 0 5.600 5.600l1.600-2.300 4.800 1.800v4c0 1-.8 1.700-1.800 1.600C10.500 20 4 13.500 3.400 5.300 3.300 4.300 4 3.500 5 3.500Z',
  calendar: 'M4 6h16v14H4zM4 10.500h16M8.500 3.500V8M15.500 3.500V8',
  shield:
    'M12 3 4.500 6v5.500c0 4.500 3 8 7.500 9.500 4.500-1.500 7.500-5 7.500-9.500V6zM8.500 12l2.500 2.500 4.500-5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5.300l3.500 2',
  print: 'M7 9V3.500h10V9M7 17H3.500V9h17v8H17M7 14h10v6.500H7z',
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
