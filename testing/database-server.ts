import process from 'node:process';
import { serverVariable, startTestServer } from './database.ts';

/** Global setup of a test run: its processes find the server running, and none is left behind. */
export default async function setUp(): Promise<() => Promise<void>> {
  const server = await startTestServer();
  process.env[serverVariable] = JSON.stringify({ url: server.url, template: server.template });
  return () => server.close();
}
