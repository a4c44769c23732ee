import type { PrivacyTerms as Terms } from '@aval/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchTerms } from '../api.ts'
import { DISCLOSURE, KEPT, VIEWERS } from '../disclosure.ts'
import './privacy.css'

/** How long things are kept; null while it is not known, or could not be asked. */
function useTerms(): { terms: Terms | null; failed: boolean } {
  const [state, setState] = useState<{ terms: Terms | null; failed: boolean }>({ terms: null, failed: false })
  useEffect(() => {
    fetchTerms().then((answer) =>
      setState('data' in answer ? { terms: answer.data, failed: false } : { terms: null, failed: true }),
    )
  }, [])
  return state
}

/** Who sees what of a member, and how long it is kept. */
export function PrivacyTerms() {
  const { t } = useTranslation('identity/privacy')
  const { terms, failed } = useTerms()
  return (
    <>
      <section>
        <h3>{t('terms.whoTitle')}</h3>
        <dl className="privacy-who">
          {VIEWERS.map((viewer) => (
            <div key={viewer}>
              <dt>{t(`terms.viewer.${viewer}`)}</dt>
              <dd className="muted">
                {DISCLOSURE[viewer].map((what) => t(`terms.seen.${what}`)).join('; ')}
              </dd>
            </div>
          ))}
        </dl>
        <p className="muted small">{t('terms.notes')}</p>
      </section>
      <section>
        <h3>{t('terms.keptTitle')}</h3>
        {terms === null ? (
          <p className="muted">{t(failed ? 'terms.failed' : 'terms.loading')}</p>
        ) : (
          <ul className="privacy-kept muted">
            {KEPT.map((what) => (
              <li key={what}>
                {what === 'account' || what === 'movements'
                  ? t(`terms.kept.${what}`)
                  : t(`terms.kept.${what}`, { count: terms[what] })}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}
