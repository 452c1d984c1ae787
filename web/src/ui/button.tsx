import type { ComponentPropsWithRef } from 'react';

interface ButtonProps extends ComponentPropsWithRef<'button'> {
  look?: 'primary' | 'secondary' | 'quiet';
  /** Shows that work is under way. The button stays focusable, and a second press does nothing; a form must bear one. */
  busy?: boolean;
}

export function Button({
  look = 'secondary',
  busy = false,
  className,
  onClick,
  ...button
}: ButtonProps) {
  return (
    <button
      type="button"
      {...button}
      onClick={busy ? undefined : onClick}
      className={`button button-${look} ${className ?? ''}`}
      aria-disabled={busy || button['aria-disabled'] || undefined}
      data-busy={busy ? '' : undefined}
    />
  );
}
