import type { SupportConversation } from '@aval/contract'
import { type RefObject, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { type Failure, isUnanswered } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { Button } from '../../../ui/Button.tsx'
import { Composer } from '../../../ui/Composer.tsx'
import { FailureNotice } from '../../shared/DecisionForm.tsx'
import { useElevated } from '../../shared/useElevated.ts'
import { useAnswerMemberMutation, useCloseThreadMutation } from '../api.ts'
import { useFilledTemplatesQuery } from '../templates.ts'

/** As the server counts. */
const LONGEST = 2000

interface AnswerFormProps {
  conversation: SupportConversation
  input: RefObject<HTMLTextAreaElement | null>
}

/** Answers, or sets aside, what was read so far: what the member writes meanwhile goes on waiting. */
export function AnswerForm({ conversation, input }: AnswerFormProps) {
  const { t } = useTranslation('console/support')
  const { thread, results } = conversation
  const member = thread.member_id
  const seen = results[0]?.id ?? 0
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [answer, { isLoading: isAnswering }] = useAnswerMemberMutation()
  const [close, { isLoading: isClosing }] = useCloseThreadMutation()
  const elevated = useElevated()
  const attempt = useRef(new AttemptKey())
  /** What was read when the present words were first sent: trying them again is the same attempt. */
  const tried = useRef<{ text: string; seen: number } | null>(null)

  const send = async (words: string) => {
    if (tried.current?.text !== words) tried.current = { text: words, seen }
    const body = { member, ...tried.current }
    const idempotencyKey = attempt.current.for(body)
    const outcome = await elevated(() => answer({ ...body, idempotencyKey }))
    const refused = (outcome.error as Failure | undefined) ?? null
    attempt.current.settle(refused)
    setFailure(refused)
    if (refused === null || !isUnanswered(refused)) tried.current = null
    if (refused !== null) return
    setText('')
    toast.success(t('answered'))
    input.current?.focus({ preventScroll: true })
  }
  const setAside = async () => {
    const outcome = await elevated(() => close({ member, id: seen }))
    setFailure((outcome.error as Failure | undefined) ?? null)
    if (outcome.data !== undefined) toast.success(outcome.data.message)
  }
  /** After what is there already: a template never takes away what was typed. */
  const insert = (template: string) => {
    setText(text.trim() === '' ? template : `${text.trimEnd()}\n\n${template}`)
    input.current?.focus({ preventScroll: true })
  }
  return (
    <div className="thread-answer stack-8">
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
      <p className="muted small">{t('hint')}</p>
      <FailureNotice failure={failure} />
      <div className="row-8 row-apart">
        <InsertTemplate member={member} onInsert={insert} />
        {thread.state === 'closed' ? null : (
          <Button size="small" className="thread-close" busy={isClosing} onClick={() => void setAside()}>
            {t(thread.state === 'open' ? 'close' : 'closeAnswered')}
          </Button>
        )}
      </div>
    </div>
  )
}

interface InsertTemplateProps {
  member: number
  onInsert: (text: string) => void
}

/** Puts a ready text into the answer, in the member's language and with the member's name. */
function InsertTemplate({ member, onInsert }: InsertTemplateProps) {
  const { t } = useTranslation('console/support')
  const { data } = useFilledTemplatesQuery(member)
  if (data === undefined || data.results.length === 0) return null
  return (
    <select
      className="thread-template small"
      aria-label={t('templates.insert')}
      value=""
      onChange={(event) => {
        const template = data.results.find(({ id }) => String(id) === event.target.value)
        if (template !== undefined) onInsert(template.text)
      }}
    >
      <option value="">{t('templates.insert')}</option>
      {data.results.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
