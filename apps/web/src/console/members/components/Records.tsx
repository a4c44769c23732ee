import { LONGEST_NOTE, type MemberLook, type MemberMail, type MemberNote } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { Composer } from '../../../ui/Composer.tsx'
import { type Column, column, PagedTable, TwoLines } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { parseAsPage } from '../../../ui/place.ts'
import { EmptyState } from '../../../ui/States.tsx'
import { FailureNotice } from '../../shared/DecisionForm.tsx'
import { useElevated } from '../../shared/useElevated.ts'
import {
  useLooksAtMemberQuery,
  useMailsOfMemberQuery,
  useNotesOfMemberQuery,
  useWriteNoteMutation,
} from '../api.ts'

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

/** What operators wrote down; nothing of it is ever changed. */
export function Notes({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const [page, setPage] = useQueryState('page', parseAsPage)
  const columns: Column<MemberNote>[] = [
    column(t('note.text'), (row) => (
      <span className="member-note" dir="auto">
        {row.text}
      </span>
    )),
    column(t('note.author'), (row) => (
      <TwoLines first={<Name text={row.author} />} second={formats.dateTime(row.date)} />
    )),
  ]
  return (
    <section className="card">
      <NoteForm id={id} />
      <PagedTable
        list={useNotesOfMemberQuery({ id, page })}
        caption={t('tab.notes')}
        columns={columns}
        rowKey={(row) => row.id}
        page={page}
        onPage={setPage}
        empty={<EmptyState text={t('note.none')} />}
      />
    </section>
  )
}

function NoteForm({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [write, { isLoading }] = useWriteNoteMutation()
  const attempt = useRef(new AttemptKey())
  const elevated = useElevated()
  const send = async (words: string) => {
    const body = { id, text: words }
    const idempotencyKey = attempt.current.for(body)
    const outcome = await elevated(() => write({ ...body, idempotencyKey }))
    const refused = (outcome.error as Failure | undefined) ?? null
    attempt.current.settle(refused)
    setFailure(refused)
    if (refused !== null) return
    setText('')
    toast.success(t('note.written'))
  }
  return (
    <div className="members-bar stack-8">
      <Composer
        label={t('note.new')}
        placeholder={t('note.placeholder')}
        sendLabel={t('note.write')}
        longest={LONGEST_NOTE}
        enterSends={false}
        busy={isLoading}
        value={text}
        onChange={setText}
        onSend={(words) => void send(words)}
      />
      <FailureNotice failure={failure} />
      <p className="muted small">{t('note.hint')}</p>
    </div>
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
