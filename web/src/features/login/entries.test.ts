import { describe, expect, it, vi } from 'vitest';
import { tidyBirthdate } from './birthdate.ts';
import { checkEntries } from './credentials.ts';
import { type LoginEntries, readEntries } from './entries.ts';

const typed: LoginEntries = {
  firstname: 'Margaret',
  lastname: 'Whitfield',
  zipcode: '34811',
  birthdate: '03-14-1958',
  recaptcha: 'on',
  provided_voter_id: undefined,
  token: undefined,
};
const errorsOf = (change: Partial<LoginEntries>) => {
  const checked = checkEntries({ ...typed, ...change });
  return 'errors' in checked ? checked.errors : {};
};

describe('what is typed to sign in', () => {
  it('is taken when every field is good, also without a first name', () => {
    expect(checkEntries(typed)).toMatchObject({ credentials: { lastname: 'Whitfield' } });
    expect(errorsOf({ firstname: '' })).toEqual({});
  });

  it('names the first thing wrong with each field', () => {
    expect(
      errorsOf({
        firstname: 'x'.repeat(61),
        lastname: ' ',
        zipcode: '',
        birthdate: '',
        recaptcha: '',
      }),
    ).toEqual({
      firstname: 'login.firstname.tooLong',
      lastname: 'login.lastname.required',
      zipcode: 'login.zipcode.required',
      birthdate: 'login.birthdate.required',
      recaptcha: 'login.recaptcha.required',
    });
    expect(errorsOf({ lastname: 'x'.repeat(61) })).toEqual({ lastname: 'login.lastname.tooLong' });
    expect(errorsOf({ firstname: 'x'.repeat(60), lastname: 'x'.repeat(60) })).toEqual({});
    for (const zipcode of ['3481', '348111', '34811-0001', 'ABCDE'])
      expect(errorsOf({ zipcode })).toEqual({ zipcode: 'login.zipcode.invalid' });
    for (const birthdate of ['02-30-1958', '03-14-2999', 'yesterday'])
      expect(errorsOf({ birthdate })).toEqual({ birthdate: 'login.birthdate.invalid' });
  });

  it('must hold the voter ID or the token where the form asks for it', () => {
    expect(errorsOf({ provided_voter_id: '' })).toEqual({
      provided_voter_id: 'login.voterId.required',
    });
    expect(errorsOf({ token: '' })).toEqual({ token: 'login.token.required' });
  });

  it('holds the voter ID and the token only where the form asks for them, whatever a browser fills in', () => {
    const form = { ...typed, birthdate: '03\\14\\1958', provided_voter_id: 'V1', token: 'T1' };
    vi.stubGlobal(
      'FormData',
      class {
        get = (name: keyof typeof form) => form[name];
      },
    );
    try {
      const read = (...extra: ('provided_voter_id' | 'token')[]) =>
        readEntries(form as unknown as HTMLFormElement, extra);
      expect(read()).toEqual({ ...typed, birthdate: '03/14/1958' });
      expect(read('token')).toMatchObject({ provided_voter_id: undefined, token: 'T1' });
      expect(read('provided_voter_id')).toMatchObject({
        provided_voter_id: 'V1',
        token: undefined,
      });
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('may be a birth date of bare digits, or as a browser fills it in', () => {
    expect(tidyBirthdate('03141958')).toBe('03-14-1958');
    expect(tidyBirthdate('1958-03-14')).toBe('03-14-1958');
    expect(tidyBirthdate(' 3/14/1958 ')).toBe('3/14/1958');
  });
});
