import { useEffect, useRef } from 'react';

/**
 * Takes the focus to the element `id` when the button that had it leaves the page. A voter who has gone on meanwhile keeps it.
 *
 * @param isThere whether the button's part of the page is there
 */
export function useFocusAfter(isThere: boolean, id: string): void {
  const wasThere = useRef(isThere);
  useEffect(() => {
    if (wasThere.current && !isThere && document.activeElement === document.body)
      document.getElementById(id)?.focus();
    wasThere.current = isThere;
  }, [isThere, id]);
}
