import { type KeyboardEvent, type Ref, useId } from 'react'
import { useTranslation } from 'react-i18next'
import './composer.css'
import { FieldError } from './Field.tsx'
import { IconSend } from './icons.ts'

interface ComposerProps {
  label: string
  placeholder?: string
  value: string
  onChange: (text: string) => void
  /** Called with something to send, and nothing else. */
  onSend: (text: string) => void
  sendLabel: string
  longest: number
  /** Enter sends and Shift+Enter begins a line, as in a chat; else Enter begins a line, and Ctrl+Enter sends. */
  enterSends: boolean
  busy?: boolean
  ref?: Ref<HTMLTextAreaElement>
}

/** From here on the count is shown. */
const NEAR = 200

/** Where there is no Shift key to hold, Enter has to begin a line; the button sends. */
const hasKeyboard = () => !window.matchMedia('(pointer: coarse)').matches

/** A place to write a message. What is too long is kept and said, not cut off. */
export function Composer(props: ComposerProps) {
  const { label, placeholder, value, onChange, onSend, sendLabel, longest, enterSends, busy, ref } = props
  const { t } = useTranslation('ui')
  const id = useId()
  const left = longest - value.trim().length
  const isNear = left >= 0 && left <= NEAR
  const canSend = value.trim() !== '' && left >= 0 && busy !== true
  const send = () => {
    if (canSend) onSend(value.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const commanded = event.ctrlKey || event.metaKey
    if (!commanded && (!enterSends || event.shiftKey || !hasKeyboard())) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="composer stack-6"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <div className="field-box" data-invalid={left < 0}>
        <textarea
          ref={ref}
          id={id}
          rows={1}
          value={value}
          placeholder={placeholder}
          autoComplete="off"
          enterKeyHint={enterSends ? 'send' : 'enter'}
          aria-invalid={left < 0 || undefined}
          aria-describedby={left < 0 ? `${id}-error` : isNear ? `${id}-count` : undefined}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button
          type="submit"
          className="composer-send centred"
          aria-label={sendLabel}
          aria-busy={busy || undefined}
          disabled={!canSend}
        >
          {busy ? <span className="spinner" aria-hidden="true" /> : <IconSend size={18} stroke={1.7} />}
        </button>
      </div>
      {isNear ? (
        <p id={`${id}-count`} className="composer-count muted tiny">
          {t('charactersLeft', { count: left })}
        </p>
      ) : null}
      <FieldError id={`${id}-error`} text={left < 0 ? t('charactersOver', { count: -left }) : undefined} />
    </form>
  )
}
