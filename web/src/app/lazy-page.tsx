import { type ComponentType, use } from 'react';
import { allTexts } from '../shell/more-texts.ts';

/** A screen whose script is fetched when it is needed, or ahead of it. */
export interface LazyPage<Props extends object> {
  readonly Page: ComponentType<Props>;
  /** Fetches the script, and the texts that the page came without. Once they are there, Page renders without a wait, also on the server. */
  preload(): Promise<unknown>;
}

export function lazyPage<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPage<Props> {
  let Loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props>> | null = null;
  const preload = () => {
    loading ??= Promise.all([load(), allTexts()]).then(
      ([module]) => {
        Loaded = module.default;
        return module.default;
      },
      (error: unknown) => {
        loading = null; // so that a later try asks again
        throw error;
      },
    );
    return loading;
  };
  return {
    preload,
    Page: (props: Props) => {
      const Component = Loaded ?? use(preload());
      return <Component {...props} />;
    },
  };
}
