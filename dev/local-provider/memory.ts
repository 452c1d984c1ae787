import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Kept {
  payload: AdapterPayload;
  readonly until: number;
}

/** Where the local provider keeps its sessions and codes: in memory, because nothing of it is worth keeping. */
export function createMemory(): (kind: string) => Adapter {
  const kept = new Map<string, Kept>();
  return (kind) => {
    const find = (matches: (payload: AdapterPayload) => boolean) => {
      for (const [key, { payload, until }] of kept)
        if (key.startsWith(`${kind}:`) && until > Date.now() && matches(payload)) return payload;
      return undefined;
    };
    return {
      async upsert(id, payload, seconds = 3600) {
        kept.set(`${kind}:${id}`, { payload, until: Date.now() + seconds * 1000 });
      },
      async find(id) {
        const one = kept.get(`${kind}:${id}`);
        return one && one.until > Date.now() ? one.payload : undefined;
      },
      findByUid: async (uid) => find((payload) => payload.uid === uid),
      findByUserCode: async (code) => find((payload) => payload.userCode === code),
      async consume(id) {
        const one = kept.get(`${kind}:${id}`);
        if (one) one.payload = { ...one.payload, consumed: Math.floor(Date.now() / 1000) };
      },
      async destroy(id) {
        kept.delete(`${kind}:${id}`);
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key);
      },
    };
  };
}
