import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../api/failure.ts'
import { AttemptKey } from '../../api/idempotency.ts'
import { Composer } from '../../ui/Composer.tsx'
import { formats } from '../../ui/format.ts'
import { Name } from '../../ui/Name.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { Loaded, Skeleton } from '../../ui/States.tsx'
import { useAbilities } from './abilities.ts'
import { FailureNotice } from './DecisionForm.tsx'
import { useNotesQuery, useWriteNoteMutation } from './notes.ts'
import { useElevated } from './useElevated.ts'
import { quiet, usePolling } from './useLive.ts'

/** As the server counts. */
const LONGEST = 2000
const EVERY = 10_000

/** What operators wrote about a member for each other; a note is never changed. */
export function Notes({ member }: { member: number }) {
  const { t } = useTranslation('console/shared')
  const { may } = useAbilities()
  const [page, setPage] = useState(1)
  const shown = quiet(useNotesQuery({ member, page }, usePolling(EVERY)))
  return (
    <section className="card card-pad stack-12" aria-labelledby="notes-title">
      <h2 id="notes-title" className="side-title">
        {t('notes.title')}
      </h2>
      {may('members.note') ? <NoteForm member={member} /> : null}
      <Loaded query={shown} hold={<Skeleton width="100%" height={40} />}>
        {({ results, total_pages: total }) => (
          <>
            {results.length === 0 ? <p className="muted small">{t('notes.none')}</p> : null}
            <ol className="stack-8">
              {results.map((note) => (
                <li key={note.id} className="box stack-6 note">
                  <p dir="auto">{note.text}</p>
                  <p className="muted tiny">
                    <Name text={note.author} />
                    <span>{` · ${formats.shortStamp(note.date)}`}</span>
                  </p>
                </li>
              ))}
            </ol>
            <Pagination of={t('notes.title')} page={page} total={total} onPage={setPage} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function NoteForm({ member }: { member: number }) {
  const { t } = useTranslation('console/shared')
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [write, { isLoading }] = useWriteNoteMutation()
  const elevated = useElevated()
  const attempt = useRef(new AttemptKey())
  const send = async (words: string) => {
    const body = { member, text: words }
    const idempotencyKey = attempt.current.for(body)
    const outcome = await elevated(() => write({ ...body, idempotencyKey }))
    const refused = (outcome.error as Failure | undefined) ?? null
    attempt.current.settle(refused)
    setFailure(refused)
    if (refused === null) setText('')
  }
  return (
    <div className="stack-6">
      <Composer
        label={t('notes.label')}
        placeholder={t('notes.placeholder')}
        sendLabel={t('notes.send')}
        longest={LONGEST}
        enterSends={false}
        busy={isLoading}
        value={text}
        onChange={setText}
        onSend={(words) => void send(words)}
      />
      <FailureNotice failure={failure} />
      <p className="muted tiny">{t('notes.hint')}</p>
    </div>
  )
}
