import type { MemberLook, MemberMail } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { type Column, column, figureColumn, TwoLines } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { ResendMail } from '../acts/ResendMail.tsx'
import { useLooksAtMemberQuery, useMailsOfMemberQuery } from '../api.ts'
import { MemberList } from './MemberList.tsx'

/** What was written to a member, and whether it left. */
export function Mails({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
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
    <MemberList
      id={id}
      of={useMailsOfMemberQuery}
      caption={t('tab.mails')}
      columns={columns}
      rowKey={(row) => row.id}
      none={t('mail.none')}
    />
  )
}

/** Which operators opened this page. */
export function Looks({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const columns: Column<MemberLook>[] = [
    column(t('look.operator'), (row) => <Name text={row.operator} />),
    column(t('date'), (row) => formats.dateTime(row.date)),
  ]
  return (
    <div className="stack-8">
      <p className="muted small">{t('look.text')}</p>
      <MemberList
        id={id}
        of={useLooksAtMemberQuery}
        caption={t('tab.looks')}
        columns={columns}
        rowKey={(row) => `${row.operator} ${row.date}`}
        none={t('look.none')}
      />
    </div>
  )
}
