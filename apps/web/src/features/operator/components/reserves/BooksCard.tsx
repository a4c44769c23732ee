import type { OperatorReserves } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../../ui/useFormats.ts'
import { Fact } from '../Fact.tsx'
import { differs } from './AddressTable.tsx'

/** Each wallet's addresses in sum, against what the ledger says. */
export function BooksCard({ books }: { books: OperatorReserves['books'] }) {
  const { t } = useTranslation('operator')
  const formats = useFormats()
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('reserves.books.title')}</h2>
      <dl className="figures">
        {books.map((row) => (
          <Fact key={row.wallet} name={t(`reserves.wallet.${row.wallet}`)} note={noteOf(row)}>
            {formats.exact(row.holding)}
          </Fact>
        ))}
      </dl>
      <p className="muted small">{t('reserves.books.text')}</p>
    </section>
  )

  function noteOf(row: OperatorReserves['books'][number]): string {
    const facts = { book: formats.exact(row.book), pending: formats.exact(row.pending) }
    if (differs(row)) return t('reserves.books.differs', { difference: formats.exact(row.difference) })
    return t(/[1-9]/.test(row.pending) ? 'reserves.books.pending' : 'reserves.books.same', facts)
  }
}
