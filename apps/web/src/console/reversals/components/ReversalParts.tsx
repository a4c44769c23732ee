import type { Reversal } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { Name } from '../../../ui/Name.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { reversalSums } from '../reversalSums.ts'

type Part = Reversal['parts'][number]
/** A member may lose to the same pool twice: the row's place tells them apart. */
type Row = Part & { at: number }

/** Who loses what, and where it comes from. */
export function ReversalParts({ parts }: { parts: Part[] }) {
  const { t } = useTranslation('console/reversals')
  const formats = useFormats()
  const columns = useColumns()
  if (parts.length === 0) return <p className="muted">{t('reversal.noParts')}</p>
  const sums = reversalSums(parts)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="parts" aria-label={t('reversal.parts')} tabIndex={0}>
        <DataTable
          caption={t('reversal.parts')}
          columns={columns}
          rows={parts.map((part, at) => ({ ...part, at }))}
          rowKey={({ at }) => at}
        />
      </section>
      <p>
        <strong>
          {t('reversal.sum', {
            amount: formats.money(sums.amount),
            balance: formats.money(sums.from_balance),
            owed: formats.money(sums.owed),
          })}
        </strong>{' '}
        <span className="muted">{t('reversal.history')}</span>
      </p>
    </>
  )
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('console/reversals')
  const formats = useFormats()
  const figure = (key: 'amount' | 'from_balance' | 'owed', header: string): Column<Row> => ({
    key,
    header,
    figure: true,
    cell: (part) => {
      const text = formats.exact(part[key])
      return key === 'amount' ? <strong>{text}</strong> : text
    },
  })
  return [
    { key: 'member', header: t('member'), cell: (part) => <Name text={part.member} /> },
    {
      key: 'pool',
      header: t('reversal.pool'),
      cell: (part) => t(`reversal.pools.${part.pool}`),
    },
    figure('amount', t('reversal.amount')),
    figure('from_balance', t('reversal.fromBalance')),
    figure('owed', t('reversal.owed')),
  ]
}
