import { type ReactNode, useEffect, useRef, useState } from 'react';

/**
 * What may be wider than the screen, and then scrolls sideways by itself. Only while it does can the keyboard focus it,
 * as there is nothing else to do with it.
 */
export function Scroll({
  label,
  className = 'scroll',
  children,
}: {
  /** What is in it, for those who do not see it. */
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [isWider, setWider] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setWider(
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
      ),
    );
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div
      role="group"
      className={className}
      aria-label={label}
      ref={box}
      tabIndex={isWider ? 0 : undefined}
    >
      {children}
    </div>
  );
}
