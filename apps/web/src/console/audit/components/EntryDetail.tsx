import { useTranslation } from 'react-i18next'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { Name } from '../../../ui/Name.tsx'
import { memberLink } from '../../shared/place.ts'
import type { AuditEntry } from '../api.ts'
import { detailsOf, placeOf, thingOf } from '../sentence.ts'

/** Before, after, why and from where; with the way to what it is about. */
export function EntryDetail({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('console/audit')
  const { actor, subject, from } = entry
  const place = placeOf(subject)
  const device = [from?.browser, from?.system].filter((name) => name != null).join(' · ')
  return (
    <dl className="figures row-detail audit-detail">
      <Fact name={t('who')}>
        {actor === null ? (
          t('product')
        ) : (
          <Link to={memberLink(actor.id)}>
            <Name text={actor.username} />
          </Link>
        )}
      </Fact>
      <Fact name={t('about')}>
        {place === null ? (
          thingOf(t, subject)
        ) : (
          <Link to={place}>
            <Name text={thingOf(t, subject)} />
          </Link>
        )}
      </Fact>
      {detailsOf(t, entry).map(([name, text]) => (
        <Fact key={name} name={name}>
          <span className="hash" translate="no">
            {text}
          </span>
        </Fact>
      ))}
      {entry.erased ? <Fact name={t('details')}>{t('erased')}</Fact> : null}
      {from === null ? null : (
        <Fact name={t('from')} note={t('signedIn', { at: formats.dateTime(from.at) })}>
          {[device === '' ? t('unknownDevice') : device, from.network]
            .filter((text) => text !== null)
            .join(' · ')}
        </Fact>
      )}
      <Fact name={t('entry')}>{`${entry.action} · ${formats.count(entry.id)}`}</Fact>
    </dl>
  )
}
