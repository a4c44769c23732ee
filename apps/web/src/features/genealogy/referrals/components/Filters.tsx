import { REFERRAL_STATUSES, type ReferralOrder } from '@aval/contract'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconSearch } from '../../../../ui/icons.ts'
import { MOST_TYPED, ORDERS, type ReferralsWanted } from '../questions.ts'

interface FiltersProps {
  wanted: ReferralsWanted
  onShow: (change: Partial<ReferralsWanted>) => void
}

/** Who is listed, and in which order. */
export function Filters({ wanted, onShow }: FiltersProps) {
  const { t } = useTranslation('genealogy/referrals')
  const id = useId()
  return (
    <div className="referrals-filters">
      <Search q={wanted.q} onSearch={(q) => onShow({ q })} />
      <fieldset className="segments small referrals-status">
        <legend className="visually-hidden">{t('filter.label')}</legend>
        {[null, ...REFERRAL_STATUSES].map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={status === wanted.status}
            onClick={() => onShow({ status })}
          >
            {t(`filter.${status ?? 'all'}`)}
          </button>
        ))}
      </fieldset>
      <div className="field-box referrals-sort">
        <label htmlFor={id} className="visually-hidden">
          {t('sort.label')}
        </label>
        <select
          id={id}
          value={wanted.sort}
          onChange={(event) => onShow({ sort: event.target.value as ReferralOrder })}
        >
          {ORDERS.map((order) => (
            <option key={order} value={order}>
              {t(`sort.${order}`)}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

/** Milliseconds without typing before the search is sent. */
const PAUSE = 250

function Search({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const { t } = useTranslation('genealogy/referrals')
  const [text, setText] = useState(q)
  const [sent, setSent] = useState(q)
  const search = useDebouncedCallback((typed: string) => {
    setSent(typed)
    onSearch(typed)
  }, PAUSE)
  // Back, or the search cleared elsewhere: what is typed follows. What was sent from here is older than what is typed.
  useEffect(() => {
    if (q !== sent) setText(q)
  }, [q, sent])
  return (
    <div className="field-box referrals-search">
      <IconSearch size={17} stroke={1.7} aria-hidden="true" />
      <input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        autoComplete="off"
        spellCheck={false}
        maxLength={MOST_TYPED}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          search(event.target.value)
        }}
      />
    </div>
  )
}

const FIGURES = ['invested', 'brought', 'earned'] as const

/** What is in each figure, for who asks. */
export function Explained() {
  const { t } = useTranslation('genealogy/referrals')
  return (
    <details className="referrals-explained small muted">
      <summary>{t('explained.title')}</summary>
      <dl>
        {FIGURES.map((figure) => (
          <div key={figure}>
            <dt>{t(`column.${figure}`)}</dt>
            <dd>{t(`explained.${figure}`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
