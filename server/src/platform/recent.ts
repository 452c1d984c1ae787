export interface Recent<Value> {
  /** The value of a key; made once, also when many ask for it at the same moment. */
  getOr(key: string, make: () => Promise<Value>): Promise<Value>;
}

/** What was asked for lately; the value unused for longest is removed first. */
export function createRecent<Value>(maximum: number): Recent<Value> {
  const values = new Map<string, Promise<Value>>();
  return {
    getOr(key, make) {
      const value = values.get(key) ?? make();
      values.delete(key);
      values.set(key, value);
      value.catch(() => {
        if (values.get(key) === value) values.delete(key);
      });
      const [oldest] = values.keys();
      if (values.size > maximum && oldest !== undefined) values.delete(oldest);
      return value;
    },
  };
}
