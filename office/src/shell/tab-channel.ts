/** What the console says to the other tabs and windows of this browser, and hears of them. */
export interface TabChannel<Message> {
  send(message: Message): void;
  /** @returns how to stop */
  listen(onMessage: (message: Message) => void): () => void;
}

/** @param name no other channel's */
export function createTabChannel<Message>(name: string): TabChannel<Message> {
  return {
    send(message) {
      const channel = new BroadcastChannel(name);
      channel.postMessage(message);
      channel.close();
    },
    listen(onMessage) {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }: MessageEvent<Message>) => onMessage(data);
      return () => channel.close();
    },
  };
}
