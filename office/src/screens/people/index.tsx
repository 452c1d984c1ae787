import type {
  CreatedInvitation,
  Person,
  RemovedPerson,
} from '@ballot-beacon/contract/office/people';
import { type Role, roleNames } from '@ballot-beacon/contract/office/roles';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, t } from '../../words/index.ts';

interface Outcome {
  readonly news?: string;
  /** Shown once, for the person who was invited. */
  readonly link?: CreatedInvitation & { readonly name: string };
}

/** Who may use this office's console, and what each person may do. */
export function PeopleScreen() {
  const { session, act } = useSession();
  const people = useQuery({ queryKey: ['people'], queryFn: () => act('listPeople', {}) });
  const change = useMutation({
    mutationFn: (work: () => Promise<Outcome>) => work(),
    onSettled: useRefresh('people'),
  });

  const reinvite = ({ person_id, name }: Person) =>
    change.mutate(async () => ({
      link: { ...(await act('reinvitePerson', { params: { person_id } })), name },
    }));
  const remove = ({ person_id, name }: Person) => {
    if (!window.confirm(t('people.remove.sure', { name }))) return;
    change.mutate(async () => {
      await act('removePerson', { params: { person_id } });
      return { news: t('people.removed', { name }) };
    });
  };
  const readmit = ({ person_id, name, method }: RemovedPerson) =>
    change.mutate(async () => {
      await act('readmitPerson', { params: { person_id } });
      return { news: t(`people.readmitted.${method}`, { name }) };
    });
  const saveRoles = ({ person_id, name, roles: from }: Person, roles: Role[]) =>
    change.mutate(async () => {
      await act('changeRoles', { params: { person_id }, body: { roles, from } });
      return { news: t('people.saved', { name }) };
    });
  const invite = (name: string, roles: Role[], form: HTMLFormElement) =>
    change.mutate(async () => {
      const link = await act('invitePerson', { body: { name, roles } });
      // What was typed meanwhile is another person’s.
      if (new FormData(form).get('name') === name) form.reset();
      return { link: { ...link, name } };
    });
  const { news, link } = change.data ?? {};

  return (
    <>
      <h1>{t('people.title')}</h1>
      <p className="help">{t('people.help')}</p>
      <div aria-live="polite">
        {news && <p className="notice notice-good">{news}</p>}
        {link && (
          <div className="notice">
            <p>
              {t('people.invite.link', {
                name: link.name,
                end: formatInstant(link.ends_at, session),
              })}
            </p>
            <code className="link">{link.url}</code>
          </div>
        )}
      </div>
      <Failure error={change.error} />
      <Loaded query={people}>
        {({ people: everybody, invitations, removed }) => (
          <>
            <ul className="people">
              {everybody.map((person) => (
                <li className="panel card" key={person.person_id}>
                  <h2>{person.name}</h2>
                  <p className="soft">
                    {t('people.lastSeen')}:{' '}
                    {person.last_seen_at
                      ? formatInstant(person.last_seen_at, session)
                      : t('table.never')}
                  </p>
                  {person.method === 'provider' ? (
                    <p>{t('people.byGroups', { roles: listRoles(person.roles) })}</p>
                  ) : (
                    <RolesForm
                      key={person.roles.join()}
                      id={`person-${person.person_id}`}
                      given={person.roles}
                      label={t('people.save')}
                      isBusy={change.isPending}
                      onSubmit={(_name, roles) => saveRoles(person, roles)}
                    />
                  )}
                  <p className="buttons">
                    {person.method === 'passkey' && (
                      <Button look="quiet" onClick={() => reinvite(person)}>
                        {t('people.reinvite')}
                      </Button>
                    )}
                    <Button look="quiet" onClick={() => remove(person)}>
                      {t('people.remove')}
                    </Button>
                  </p>
                </li>
              ))}
            </ul>
            {invitations.length > 0 && (
              <section className="panel card">
                <h2>{t('people.open')}</h2>
                <ul className="todo">
                  {invitations.map(({ name, roles, ends_at }) => (
                    <li key={`${name} ${ends_at}`}>
                      {t('people.open.until', {
                        name,
                        roles: listRoles(roles),
                        end: formatInstant(ends_at, session),
                      })}
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {removed.length > 0 && (
              <section className="panel card">
                <h2>{t('people.out')}</h2>
                <ul className="todo">
                  {removed.map((person) => (
                    <li key={person.person_id}>
                      {t('people.out.since', {
                        name: person.name,
                        at: formatInstant(person.removed_at, session),
                      })}{' '}
                      <Button
                        look="quiet"
                        busy={change.isPending}
                        aria-label={t('people.readmitOf', { name: person.name })}
                        onClick={() => readmit(person)}
                      >
                        {t('people.readmit')}
                      </Button>
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </>
        )}
      </Loaded>
      <section className="panel card">
        <h2>{t('people.invite.title')}</h2>
        <RolesForm
          id="invite"
          given={[]}
          asksName
          label={t('people.invite')}
          isBusy={change.isPending}
          onSubmit={invite}
        />
      </section>
    </>
  );
}

function listRoles(roles: readonly Role[]): string {
  return roles.map((role) => t(`role.${role}`)).join(', ') || t('people.noRole');
}

/** Roles to tick and, for a new person, a name. */
function RolesForm({
  id,
  given,
  asksName = false,
  label,
  isBusy,
  onSubmit,
}: {
  id: string;
  given: readonly Role[];
  asksName?: boolean;
  label: string;
  isBusy: boolean;
  onSubmit: (name: string, roles: Role[], form: HTMLFormElement) => void;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    if (!isBusy) onSubmit(String(data.get('name') ?? ''), data.getAll('role') as Role[], form);
  };
  return (
    <form onSubmit={submit}>
      {asksName && (
        <div className="field">
          <label className="field-label" htmlFor={`${id}-name`}>
            {t('people.name')}
          </label>
          <input
            className="field-input"
            id={`${id}-name`}
            name="name"
            required
            maxLength={100}
            autoComplete="off"
          />
        </div>
      )}
      <fieldset className="ticks">
        <legend className="field-label">{t('people.roles')}</legend>
        {roleNames.map((role) => (
          <label key={role}>
            <input type="checkbox" name="role" value={role} defaultChecked={given.includes(role)} />
            <span>
              {t(`role.${role}`)} <span className="soft">{t(`role.${role}.may`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Button type="submit" busy={isBusy} look={asksName ? 'primary' : 'secondary'}>
        {label}
      </Button>
    </form>
  );
}
