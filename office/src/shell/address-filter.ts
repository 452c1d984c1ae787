import { useSearchParams } from 'wouter';

/** The filter of a list, in the address of its screen; `before` or `after` is the page, which a changed filter begins anew. */
export function useAddressFilter(path: string) {
  const [search, setSearch] = useSearchParams();
  const withChange = (name: string, value: string | null): URLSearchParams => {
    const next = new URLSearchParams(search);
    next.delete('before');
    next.delete('after');
    if (value) next.set(name, value);
    else next.delete(name);
    return next;
  };
  return {
    /** The filter and the page as a call's query. */
    query: Object.fromEntries(search),
    valueOf: (name: string) => search.get(name) ?? '',
    /** @param replace for what is typed: each key would be a step of the way back */
    change: (name: string, value: string, replace = false) =>
      setSearch(withChange(name, value), { replace }),
    /** The address of the list with this filter. */
    hrefOf: (name: string, value: string | null) => {
      const next = withChange(name, value);
      return next.size > 0 ? `${path}?${next}` : path;
    },
  };
}
