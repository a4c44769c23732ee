import type { SupportConversation } from '@aval/contract'
import { useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { type Failure, isUnanswered } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { Button } from '../../../ui/Button.tsx'
import { Composer } from '../../../ui/Composer.tsx'
import { FailureNotice } from '../../shared/FailureNotice.tsx'
import { useAnswerMemberMutation, useCloseThreadMutation } from '../api.ts'

/** As the server counts. */
const LONGEST = 2000

/** Answers, or sets aside, what was read so far: what the member writes meanwhile goes on waiting. */
export function AnswerForm({ conversation }: { conversation: SupportConversation }) {
  const { t } = useTranslation('console/support')
  const { thread, results } = conversation
  const member = thread.member_id
  const seen = results[0]?.id ?? 0
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [answer, { isLoading: isAnswering }] = useAnswerMemberMutation()
  const [close, { isLoading: isClosing }] = useCloseThreadMutation()
  const attempt = useRef(new AttemptKey())
  const input = useRef<HTMLTextAreaElement>(null)
  /** What was read when the present words were first sent: trying them again is the same attempt. */
  const tried = useRef<{ text: string; seen: number } | null>(null)

  const send = async (words: string) => {
    if (tried.current?.text !== words) tried.current = { text: words, seen }
    const body = { member, ...tried.current }
    const told = await answer({ ...body, idempotencyKey: attempt.current.for(body) })
    const refused = (told.error as Failure | undefined) ?? null
    attempt.current.settle(refused)
    setFailure(refused)
    if (refused === null || !isUnanswered(refused)) tried.current = null
    if (refused !== null) return
    setText('')
    toast.success(t('answered'))
    input.current?.focus({ preventScroll: true })
  }
  const setAside = async () => {
    const told = await close({ member, id: seen })
    setFailure((told.error as Failure | undefined) ?? null)
    if (told.data !== undefined) toast.success(told.data.message)
  }
  return (
    <div className="thread-answer">
      <Composer
        ref={input}
        label={t('answer')}
        placeholder={t('placeholder')}
        sendLabel={t('send')}
        longest={LONGEST}
        enterSends={false}
        busy={isAnswering}
        value={text}
        onChange={setText}
        onSend={(words) => void send(words)}
      />
      <FailureNotice failure={failure} />
      <div className="thread-actions">
        <p className="muted small">{t('hint')}</p>
        {thread.state === 'closed' ? null : (
          <Button size="small" busy={isClosing} onClick={() => void setAside()}>
            {t(thread.state === 'open' ? 'close' : 'closeAnswered')}
          </Button>
        )}
      </div>
    </div>
  )
}
