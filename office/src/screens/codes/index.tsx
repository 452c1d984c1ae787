import type { CodeElections } from '@ballot-beacon/contract/office/codes';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { CallError, type SavedFile } from '../../api/client.ts';
import { saveFile } from '../../api/save-file.ts';
import { Choice } from '../../shell/choice.tsx';
import { Failure } from '../../shell/failure.tsx';
import { InputField } from '../../shell/input-field.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { t } from '../../words/index.ts';

/** QR codes with which voters sign in: on ballots, and in letters for those who may know confidential voters. */
export function CodesScreen() {
  const { act, session } = useSession();
  const elections = useQuery({
    queryKey: ['code-elections'],
    queryFn: () => act('listCodeElections', {}),
  });
  return (
    <>
      <h1>{t('codes.title')}</h1>
      <p className="help">{t('codes.help')}</p>
      <Loaded query={elections}>
        {({ elections: all }) => {
          if (all.length === 0) return <p role="status">{t('codes.none')}</p>;
          return (
            <>
              {session.permissions.includes('codes') && <Ballots elections={all} />}
              {session.permissions.includes('confidential') && <Letters elections={all} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

type Elections = CodeElections['elections'];

function Ballots({ elections }: { readonly elections: Elections }) {
  const { act } = useSession();
  return (
    <CodeForm
      name="ballots"
      elections={elections}
      table={(body) => act('createBallotCodes', { body })}
      sheet={(body) => act('createBallotSheet', { body })}
    />
  );
}

function Letters({ elections }: { readonly elections: Elections }) {
  const { act } = useSession();
  const [isRenewal, setRenewal] = useState(false);
  const withRenewal = async (name: 'createLetterCodes' | 'createLetterSheet', body: Typed) => {
    if (isRenewal && !body.voter_id && !window.confirm(t('codes.renew.sure'))) return undefined;
    return act(name, { body: { ...body, renew: isRenewal } });
  };
  return (
    <CodeForm
      name="letters"
      elections={elections}
      table={(body) => withRenewal('createLetterCodes', body)}
      sheet={(body) => withRenewal('createLetterSheet', body)}
    >
      <label className="setting-switch">
        <input
          type="checkbox"
          checked={isRenewal}
          onChange={(event) => setRenewal(event.currentTarget.checked)}
        />
        {t('codes.renew')}
      </label>
    </CodeForm>
  );
}

interface Typed {
  readonly election: string;
  readonly voter_id?: string;
}

function CodeForm({
  name,
  elections,
  table,
  sheet,
  children,
}: {
  readonly name: 'ballots' | 'letters';
  readonly elections: Elections;
  readonly table: (body: Typed) => Promise<SavedFile | undefined>;
  readonly sheet: (body: Typed) => Promise<SavedFile | undefined>;
  readonly children?: ReactNode;
}) {
  const current = elections.find((one) => one.is_active) ?? elections[0];
  const [election, setElection] = useState(current?.number ?? '');
  const [voter, setVoter] = useState('');
  const make = useMutation({
    mutationFn: async (way: typeof table) => {
      const voterId = voter.trim();
      const file = await way({ election, ...(voterId && { voter_id: voterId }) });
      if (file) saveFile(file);
      return file?.name;
    },
  });
  const errors = make.error instanceof CallError ? make.error.fields : {};
  const start = (way: typeof table) => {
    if (!make.isPending) make.mutate(way);
  };
  return (
    <section className="panel card" aria-labelledby={`codes-${name}`}>
      <h2 id={`codes-${name}`}>{t(`codes.${name}`)}</h2>
      <p className="help">{t(`codes.${name}.help`)}</p>
      <div aria-live="polite">
        {make.data && <p className="notice notice-good">{t('codes.done', { file: make.data })}</p>}
      </div>
      <Failure error={make.error} />
      <Choice
        id={`${name}-election`}
        label={t('codes.election')}
        value={election}
        options={elections.map((one) => ({ value: one.number, name: one.name }))}
        onChange={setElection}
      />
      <InputField
        id={`${name}-voter`}
        label={t('codes.voter')}
        help={t('codes.voter.help')}
        value={voter}
        error={errors.voter_id}
        onChange={setVoter}
      />
      {children}
      <p className="buttons">
        <Button look="primary" busy={make.isPending} onClick={() => start(table)}>
          {t('codes.table')}
        </Button>
        <Button busy={make.isPending} onClick={() => start(sheet)}>
          {t('codes.sheet')}
        </Button>
      </p>
    </section>
  );
}
