import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { languageMenuMachine } from './language-menu.machine.ts';

const start = () => createActor(languageMenuMachine).start();

describe('the language menu', () => {
  it('begins closed', () => expect(start().getSnapshot().value).toBe('closed'));

  it('is opened by TOGGLE', () => {
    const menu = start();
    menu.send({ type: 'TOGGLE' });
    expect(menu.getSnapshot().value).toBe('opened');
  });

  it.each(['TOGGLE', 'CLOSE', 'SELECT_LANGUAGE', 'LOGIN'] as const)('is closed by %s', (type) => {
    const menu = start();
    menu.send({ type: 'TOGGLE' });
    menu.send({ type });
    expect(menu.getSnapshot().value).toBe('closed');
  });

  it.each(['CLOSE', 'SELECT_LANGUAGE', 'LOGIN'] as const)('is not opened by %s', (type) => {
    const menu = start();
    menu.send({ type });
    expect(menu.getSnapshot().value).toBe('closed');
  });
});
