import type { OperatorReserves } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../ui/useFormats.ts'
import { Fact } from '../../shared/Fact.tsx'
import { differs } from './AddressTable.tsx'

/** Each wallet's addresses in sum, against what the ledger says. */
export function BooksCard({ books }: { books: OperatorReserves['books'] }) {
  const { t } = useTranslation('console/reserves')
  const formats = useFormats()
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('books.title')}</h2>
      <dl className="figures">
        {books.map((row) => (
          <Fact key={row.wallet} name={t(`wallet.${row.wallet}`)} note={noteOf(row)}>
            {formats.exact(row.holding)}
          </Fact>
        ))}
      </dl>
      <p className="muted small">{t('books.text')}</p>
    </section>
  )

  function noteOf(row: OperatorReserves['books'][number]): string {
    const facts = { book: formats.exact(row.book), pending: formats.exact(row.pending) }
    if (differs(row)) return t('books.differs', { difference: formats.exact(row.difference) })
    return t(/[1-9]/.test(row.pending) ? 'books.pending' : 'books.same', facts)
  }
}
