import { channels } from '@ballot-beacon/contract/messages';
import { TextsQuery } from '@ballot-beacon/contract/office/words';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { useAddressFilter } from '../../shell/address-filter.ts';
import { Choice } from '../../shell/choice.tsx';
import { InputField } from '../../shell/input-field.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { languageName, nameOf, t } from '../../words/index.ts';
import { hrefOfText, isPiece, nameOfText, StateBadge } from './name.tsx';
import { Translations } from './translations.tsx';

/** What the office words itself. Language and search are in the address. */
export function TextsScreen() {
  const { act } = useSession();
  const filter = useAddressFilter('/texts');
  /** Not searched for yet; else the field has what the list was searched for. */
  const [typed, setTyped] = useState<string>();
  const sought = typed ?? filter.valueOf('search');
  const parsed = TextsQuery.safeParse({ language: 'english', ...filter.query });
  const query = parsed.data ?? { language: 'english' as const };
  const texts = useQuery({
    queryKey: ['texts', query],
    queryFn: () => act('listTexts', { query }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>{t('texts.title')}</h1>
      <p className="help">{t('texts.help')}</p>
      <Loaded query={texts}>
        {({ languages, texts: found, has_more: hasMore }) => (
          <>
            <form
              className="panel card filters"
              onSubmit={(event) => {
                event.preventDefault();
                filter.change('search', sought.trim());
                setTyped(undefined);
              }}
            >
              <Choice
                id="language"
                label={t('texts.language')}
                value={query.language}
                options={languages.map((one) => ({ value: one, name: languageName(one) }))}
                onChange={(value) => filter.change('language', value)}
              />
              <InputField
                id="search"
                label={t('texts.search')}
                help={t('texts.search.help')}
                value={sought}
                onChange={setTyped}
              />
              <Choice
                id="channel"
                label={t('texts.channel')}
                value={query.channel ?? ''}
                options={[
                  { value: '', name: t('texts.channel.all') },
                  ...channels.map((one) => ({ value: one, name: nameOf('channel', one) })),
                ]}
                onChange={(value) => filter.change('channel', value)}
              />
              <Button type="submit">{t('texts.find')}</Button>
            </form>
            {found.length === 0 ? (
              <p role="status">{t('texts.none')}</p>
            ) : (
              <Scroll label={t('texts.list')} className="scroll card">
                <table className="table">
                  <caption className="visually-hidden">{t('texts.list')}</caption>
                  <thead>
                    <tr>
                      <th scope="col">{t('texts.text')}</th>
                      <th scope="col">{t('texts.beginning')}</th>
                      {query.channel === 'sms' && <th scope="col">{t('texts.segments')}</th>}
                      <th scope="col">{t('texts.state')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {found.map(({ text, beginning, state, has_draft: hasDraft, segments }) => (
                      <tr key={text}>
                        <th scope="row">
                          <Link href={hrefOfText(text, query.language)}>
                            {isPiece(text) ? nameOfText(text) : <code>{nameOfText(text)}</code>}
                          </Link>
                        </th>
                        <td>
                          {beginning ? (
                            <samp>{beginning}</samp>
                          ) : (
                            <span className="soft">{t('texts.empty')}</span>
                          )}
                        </td>
                        {query.channel === 'sms' && <td>{segments}</td>}
                        <td>
                          <StateBadge state={state} />{' '}
                          {hasDraft && (
                            <span className="badge badge-caution">{t('texts.draft')}</span>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )}
            {hasMore && <p role="status">{t('texts.more')}</p>}
            {query.language !== 'english' && <Translations language={query.language} />}
          </>
        )}
      </Loaded>
    </>
  );
}
