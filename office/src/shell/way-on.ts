import { useLocation } from 'wouter';

/**
 * For what takes a person to another screen once it is done: made when it begins, it leads there only from the screen that
 * it began on. Who has opened another one meanwhile, and types there, is left alone.
 */
export function useWayOn(): () => (to: string) => void {
  const [, go] = useLocation();
  return () => {
    const { pathname: begun } = window.location;
    return (to) => {
      if (window.location.pathname === begun) go(to);
    };
  };
}
