import type { Reserves } from '@aval/contract'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { language } from '../../../api/language.ts'
import { Address } from '../../../ui/Address.tsx'
import { isSome } from '../../../ui/amount.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formats } from '../../../ui/format.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { ago } from '../ago.ts'
import { useNow } from '../api.ts'
import { barWidths } from '../figures.ts'
import type { ReservesDialogProps } from '../line/ReservesNotice.tsx'
import '../line/reserves.css'

/** What is held, what is owed, and where anybody can look it up. */
export function ReservesDialog({ query, onClose }: ReservesDialogProps) {
  const { t } = useTranslation('reserves')
  const hold = (
    <div className="stack-16" aria-busy="true">
      <Skeleton width={220} height={34} />
      <Skeleton width="100%" height={56} />
      <Skeleton width="100%" height={220} />
    </div>
  )
  return (
    <Dialog title={t('title')} width={640} inAddress onClose={onClose}>
      <Loaded query={query} hold={hold}>
        {(data) => <Figures data={data} />}
      </Loaded>
    </Dialog>
  )
}

const BADGE = {
  matched: 'badge-ok',
  unexplained: 'badge-wait',
  paused: 'badge-wait',
  waiting: '',
  never: '',
} as const

function Figures({ data }: { data: Reserves }) {
  const { t } = useTranslation(['reserves', 'reserves/line'])
  const now = useNow()
  const checked = data.checked_at
  return (
    <div className="stack-16">
      <div className="card-head reserves-head">
        <div>
          <p className="figure" translate="no">
            {data.coverage === null ? '–' : formats.percent(data.coverage)}
          </p>
          {checked === null ? null : (
            <p className="muted">{t(data.coverage === null ? 'nothingOwed' : 'covered')}</p>
          )}
        </div>
        <div className="stack-6 reserves-when">
          <span className={`badge ${BADGE[data.verdict]}`}>{t(`verdict.${data.verdict}`)}</span>
          {checked === null ? null : (
            <time className="muted small" dateTime={checked} title={formats.dateTime(checked)}>
              {ago(new Date(checked), now, language, t('justNow'))}
            </time>
          )}
        </div>
      </div>
      {data.verdict === 'unexplained' ? <Notice kind="wait">{t('reserves/line:stopped')}</Notice> : null}
      {data.verdict === 'paused' ? <Notice kind="wait">{t('reserves/line:paused')}</Notice> : null}
      {checked === null ? null : <Compared data={data} />}
      <p className="muted small reserves-how">{t('how')}</p>
    </div>
  )
}

/** Both sides of the last comparison. Before the first there is none: zeros would say that nothing is held or owed. */
function Compared({ data }: { data: Reserves }) {
  const { t } = useTranslation('reserves')
  const inFlight = isSome(data.in_flight) ? (
    <p className="muted small">{t('inFlight', { amount: formats.money(data.in_flight) })}</p>
  ) : null
  return (
    <>
      <Bars data={data} />
      <div className="pair reserves-parts">
        <Part title={t('custody')} total={data.custody} note={inFlight}>
          {data.wallets.map((wallet) => (
            <WalletLine key={wallet.role} wallet={wallet} />
          ))}
        </Part>
        <Part title={t('owed')} total={data.owed.total}>
          {PARTS.map((part) => (
            <li key={part}>
              <Amount name={t(`part.${part}`)} amount={data.owed[part]} />
            </li>
          ))}
        </Part>
      </div>
    </>
  )
}

/** The same two sums as lengths; who cannot see them has the figures below. */
function Bars({ data }: { data: Reserves }) {
  const { t } = useTranslation('reserves')
  const widths = barWidths(data.custody, data.owed.total)
  return (
    <div className="reserves-bars muted small" aria-hidden="true">
      <span>{t('custody')}</span>
      <div className="bar">
        <span style={{ width: `${widths.custody}%` }} />
      </div>
      <span>{t('owed')}</span>
      <div className="bar" data-part="owed">
        <span style={{ width: `${widths.owed}%` }} />
      </div>
    </div>
  )
}

function Amount({ name, amount }: { name: string; amount: string }) {
  return (
    <p className="reserves-row">
      <span>{name}</span>{' '}
      <strong className="nowrap" translate="no">
        {formats.money(amount)}
      </strong>
    </p>
  )
}

interface PartProps {
  title: string
  total: string
  note?: ReactNode
  children: ReactNode
}

function Part({ title, total, note, children }: PartProps) {
  const { t } = useTranslation('reserves')
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="muted">
        {title}
      </h3>
      <ul className="reserves-list">{children}</ul>
      <div className="reserves-total">
        <Amount name={t('total')} amount={total} />
      </div>
      {note}
    </section>
  )
}

/** A wallet with its address: anybody can look it up. */
function WalletLine({ wallet }: { wallet: Reserves['wallets'][number] }) {
  const { t } = useTranslation('reserves')
  const { role, address, explorer_url: url, amount } = wallet
  return (
    <li>
      <Amount name={t(`wallet.${role}.name`)} amount={amount} />
      {address === null ? null : (
        <div className="reserves-address">
          <Address value={address} />
        </div>
      )}
      <p className="muted small">
        <span>{t(`wallet.${role}.text`)}</span>{' '}
        {url === null ? null : (
          <OutsideLink href={url} className="nowrap" size={13}>
            {t('lookUp')}
          </OutsideLink>
        )}
      </p>
    </li>
  )
}

const PARTS = ['principal', 'balances', 'held', 'pending', 'due'] as const
