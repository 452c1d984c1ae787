import { userInfo } from 'node:os';
import process from 'node:process';

/** The user of the operating system. That of a container often has a number and no name. */
export function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
