import { useTranslation } from 'react-i18next'
import { language } from '../../../../api/language.ts'
import { usePrivacyTermsQuery } from '../api.ts'
import { DISCLOSURE, KEPT, VIEWERS } from '../disclosure.ts'
import './privacy.css'

const inOrder = new Intl.ListFormat(language, { type: 'conjunction' })

/** Who sees what of a member, and how long it is kept. */
export function PrivacyTerms() {
  const { t } = useTranslation('identity/privacy')
  const { data } = usePrivacyTermsQuery()
  return (
    <>
      <section>
        <h3>{t('terms.whoTitle')}</h3>
        <dl className="privacy-who">
          {VIEWERS.map((viewer) => (
            <div key={viewer}>
              <dt>{t(`terms.viewer.${viewer}`)}</dt>
              <dd className="muted">
                {inOrder.format(DISCLOSURE[viewer].map((what) => t(`terms.seen.${what}`)))}
              </dd>
            </div>
          ))}
        </dl>
        <p className="muted small">{t('terms.notes')}</p>
      </section>
      <section>
        <h3>{t('terms.keptTitle')}</h3>
        {data === undefined ? (
          <p className="muted">{t('terms.loading')}</p>
        ) : (
          <ul className="privacy-kept muted">
            {KEPT.map((what) => (
              <li key={what}>
                {what === 'account' || what === 'movements'
                  ? t(`terms.kept.${what}`)
                  : t(`terms.kept.${what}`, { count: data[what] })}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}
