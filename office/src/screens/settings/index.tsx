import { officeCalls } from '@ballot-beacon/contract/office/calls';
import {
  type ChangedSetting,
  type SettingField,
  type SettingGroup,
  type SettingsAnswer,
  type SettingsCheckAnswer,
  settingGroupNames,
  settingGroups,
} from '@ballot-beacon/contract/office/settings';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { useTyped } from '../../shell/typed.ts';
import { t } from '../../words/index.ts';
import { describeProblem, problemsOf } from './describe.ts';
import { SettingInput } from './field.tsx';
import { isOf } from './groups.ts';
import { Problems } from './problems.tsx';
import { Review } from './review.tsx';
import {
  type Draft,
  fileOf,
  repeatedNames,
  type Typed,
  toTyped,
  withoutSame,
  writeFile,
} from './state.ts';

/** Everything of the account file. What is typed stays while other screens are looked at, and is checked before it is saved. */
export function SettingsScreen({ group }: { readonly group: string | undefined }) {
  const { act } = useSession();
  const settings = useQuery({ queryKey: ['settings'], queryFn: () => act('getSettings', {}) });
  return (
    <>
      <h1>{t('settings.title')}</h1>
      <p className="help">{t('settings.help')}</p>
      <Loaded query={settings}>
        {(answer) => (
          <SettingsForm
            {...answer}
            group={settingGroupNames.find((one) => one === group) ?? 'office'}
          />
        )}
      </Loaded>
    </>
  );
}

/** A change to be checked. */
interface Change {
  readonly text: string;
  /** What was typed of it; nothing where it is a file. */
  readonly typed: Draft;
}

/** A checked change that a person looks at. */
type Checked = SettingsCheckAnswer & Change;

function SettingsForm({ fields, group }: SettingsAnswer & { readonly group: SettingGroup }) {
  const { act } = useSession();
  const queries = useQueryClient();
  const { typed, latest, setTyped } = useTyped<Draft>('settings');
  const draft = typed ?? {};
  const setDraft = (next: Draft) => setTyped(Object.keys(next).length > 0 ? next : null);
  const [checked, setChecked] = useState<Checked>();
  const [saved, setSaved] = useState<readonly ChangedSetting[]>();
  const changed = Object.keys(draft);

  const check = useMutation({
    mutationFn: async (change: Change) => {
      const problems = repeatedNames(fields, change.typed).map(({ at, name }) => ({
        at: `${at}.${name}`,
        message: t('settings.repeated'),
      }));
      const answer =
        problems.length > 0
          ? { problems, version: '', changes: [], ignored: [], unreached: 0 }
          : await act('checkSettings', { body: { text: change.text } });
      return { ...answer, ...change };
    },
    onMutate: () => setSaved(undefined),
    onSuccess: setChecked,
  });
  const save = useMutation({
    mutationFn: ({ text, version }: Checked) => act('changeSettings', { body: { text, version } }),
    onSuccess: async ({ changes }, { typed }) => {
      await queries.invalidateQueries();
      setDraft(withoutSame(latest() ?? {}, typed));
      setChecked(undefined);
      setSaved(changes);
    },
  });
  const failure = check.error ?? save.error;
  const type = (field: SettingField, typed: Typed) => {
    setSaved(undefined);
    const next = { ...latest(), [field.at]: typed };
    setDraft(withoutSame(next, { [field.at]: toTyped(field) }));
  };

  const problems = checked?.problems ?? [];
  const isReviewing = checked !== undefined && problems.length === 0;
  return (
    <>
      <div aria-live="polite">
        {saved && saved.length > 0 && (
          <div className="notice notice-good">
            <p>{t('settings.saved', { count: saved.length })}</p>
            {saved.every(({ at }) => at !== 'recaptcha') && (
              <Button look="quiet" onClick={() => check.mutate({ text: undo(saved), typed: {} })}>
                {t('settings.undo')}
              </Button>
            )}
          </div>
        )}
      </div>
      <Failure error={failure} />
      {problems.length > 0 && <Problems fields={fields} problems={problems} />}
      {isReviewing ? (
        <Review
          changes={checked.changes}
          hasImages={checked.ignored.length > 0}
          unreached={checked.unreached}
          isBusy={save.isPending}
          onSave={() => {
            if (!save.isPending) save.mutate(checked);
          }}
          onBack={() => {
            save.reset();
            setChecked(undefined);
          }}
        />
      ) : (
        <>
          <Groups shown={group} />
          <section className="panel card">
            <h2>{t(`settings.group.${group}`)}</h2>
            <p className="help">{t(`settings.group.${group}.help`)}</p>
            {settingGroups[group]
              .flatMap((name) => fields.filter(isOf(name)))
              .map((field) => (
                <SettingInput
                  key={field.at}
                  field={field}
                  typed={draft[field.at] ?? toTyped(field)}
                  isChanged={Object.hasOwn(draft, field.at)}
                  errors={problemsOf(field, problems).map((one) => describeProblem(field, one))}
                  onType={(typed) => type(field, typed)}
                />
              ))}
          </section>
          {changed.length > 0 && (
            <p className="buttons setting-bar">
              <Button
                look="primary"
                busy={check.isPending}
                onClick={() => check.mutate({ text: fileOf(fields, draft), typed: draft })}
              >
                {t('settings.review', { count: changed.length })}
              </Button>
              <Button
                look="quiet"
                onClick={() => {
                  setTyped(null);
                  setChecked(undefined);
                }}
              >
                {t('settings.discard')}
              </Button>
            </p>
          )}
          <FilePanel onChoose={(text) => check.mutate({ text, typed: {} })} />
        </>
      )}
    </>
  );
}

function Groups({ shown }: { readonly shown: SettingGroup }) {
  return (
    <nav aria-label={t('settings.groups')}>
      <ul className="buttons">
        {settingGroupNames.map((one) => (
          <li key={one}>
            <Link href={`/settings/${one}`} aria-current={one === shown ? 'page' : undefined}>
              {t(`settings.group.${one}`)}
            </Link>
          </li>
        ))}
        <li>
          <Link href="/settings/usps-scans">{t('scanPush.link')}</Link>
        </li>
      </ul>
    </nav>
  );
}

function FilePanel({ onChoose }: { readonly onChoose: (text: string) => void }) {
  return (
    <section className="panel card">
      <h2>{t('settings.file')}</h2>
      <p className="help">{t('settings.file.help')}</p>
      <p>
        <a href={officeCalls.downloadSettings.path} download>
          {t('settings.file.download')}
        </a>
      </p>
      <div className="field">
        <label className="field-label" htmlFor="settings-file">
          {t('settings.file.choose')}
        </label>
        <input
          className="field-input"
          id="settings-file"
          type="file"
          accept=".json,application/json"
          onChange={async ({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) onChoose(await file.text());
            // The same file again is a choice, too.
            currentTarget.value = '';
          }}
        />
      </div>
    </section>
  );
}

/** The values before a change, as an account file. */
function undo(changes: readonly ChangedSetting[]): string {
  return writeFile(changes.map(({ at, from }) => ({ at, value: from })));
}
