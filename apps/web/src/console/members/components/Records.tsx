import type { MemberLook, MemberMail } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useTranslation } from 'react-i18next'
import { type Column, column, figureColumn, PagedTable, TwoLines } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { parseAsPage } from '../../../ui/place.ts'
import { EmptyState } from '../../../ui/States.tsx'
import { ResendMail } from '../acts/ResendMail.tsx'
import { useLooksAtMemberQuery, useMailsOfMemberQuery } from '../api.ts'

/** What was written to a member, and whether it left. */
export function Mails({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const [page, setPage] = useQueryState('page', parseAsPage)
  const columns: Column<MemberMail>[] = [
    column(t('mail.subject'), (row) => (
      <TwoLines first={row.subject === '' ? t('mail.gone') : row.subject} second={<Name text={row.to} />} />
    )),
    column(t('date'), (row) => formats.dateTime(row.date)),
    column(t('money.state'), (row) => (
      <TwoLines
        first={t(`mail.state.${row.state}`)}
        second={
          row.sent_at === null ? t('mail.tries', { count: row.attempts }) : formats.shortStamp(row.sent_at)
        }
      />
    )),
    figureColumn(t('mail.act'), (row) => <ResendMail member={Number(id)} mail={row.id} />),
  ]
  return (
    <section className="card">
      <PagedTable
        list={useMailsOfMemberQuery({ id, page })}
        caption={t('tab.mails')}
        columns={columns}
        rowKey={(row) => row.id}
        page={page}
        onPage={setPage}
        empty={<EmptyState text={t('mail.none')} />}
      />
    </section>
  )
}

/** Which operators opened this page. */
export function Looks({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const [page, setPage] = useQueryState('page', parseAsPage)
  const columns: Column<MemberLook>[] = [
    column(t('look.operator'), (row) => <Name text={row.operator} />),
    column(t('date'), (row) => formats.dateTime(row.date)),
  ]
  return (
    <section className="card">
      <p className="members-bar muted small">{t('look.text')}</p>
      <PagedTable
        list={useLooksAtMemberQuery({ id, page })}
        caption={t('tab.looks')}
        columns={columns}
        rowKey={(row) => `${row.operator} ${row.date}`}
        page={page}
        onPage={setPage}
        empty={<EmptyState text={t('look.none')} />}
      />
    </section>
  )
}
