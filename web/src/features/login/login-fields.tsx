import type { ComponentPropsWithRef } from 'react';
import { useTexts } from '../../shell/texts.ts';
import { Field } from '../../ui/field.tsx';
import { tidyBirthdate } from './birthdate.ts';
import type { LoginField } from './entries.ts';

/** What the form asks for: the voter's details, and at times one thing more. */
export type LoginStep = 'base' | 'voterId' | 'token';

interface LoginInput extends ComponentPropsWithRef<'input'> {
  name: LoginField;
  /** The middle of its texts' keys. */
  text: string;
  hasHint?: boolean;
}

const number = { inputMode: 'numeric', dir: 'ltr', className: 'field-half' } as const;

/** The inputs of each step, in the order in which they stand. */
const inputs: Readonly<Record<LoginStep, readonly LoginInput[]>> = {
  base: [
    { name: 'firstname', text: 'firstname', hasHint: true, autoComplete: 'given-name' },
    { name: 'lastname', text: 'lastname', autoComplete: 'family-name', required: true },
    {
      name: 'zipcode',
      text: 'zipcode',
      hasHint: true,
      autoComplete: 'postal-code',
      required: true,
      ...number,
    },
    {
      name: 'birthdate',
      text: 'birthdate',
      hasHint: true,
      autoComplete: 'bday',
      required: true,
      onBlur: ({ currentTarget }) => {
        currentTarget.value = tidyBirthdate(currentTarget.value);
      },
      ...number,
    },
  ],
  voterId: [
    { name: 'provided_voter_id', text: 'voterId', hasHint: true, autoComplete: 'off', dir: 'ltr' },
  ],
  token: [
    { name: 'token', text: 'token', hasHint: true, autoComplete: 'one-time-code', dir: 'ltr' },
  ],
};

interface LoginFieldsProps {
  of: LoginStep;
  shown: LoginStep;
  /** What was typed into a form that was sent before the script arrived. */
  sent: Readonly<Record<string, string>>;
  /** What is wrong with a field, in words. */
  say: (field: LoginField) => string | undefined;
  children?: React.ReactNode;
}

/** The fields of one step. They are always there, so that what was typed outlives a step and its Cancel. */
export function LoginFields({ of, shown, sent, say, children }: LoginFieldsProps) {
  const { t } = useTexts();
  return (
    <div className="login-fields" hidden={of !== shown}>
      {inputs[of].map(({ text, hasHint, ...input }) => (
        <Field
          {...input}
          key={input.name}
          label={t(`login.${text}.label`)}
          hint={hasHint && t(`login.${text}.hint`)}
          error={say(input.name)}
          defaultValue={sent[input.name]}
        />
      ))}
      {children}
    </div>
  );
}
