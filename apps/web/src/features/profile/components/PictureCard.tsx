import type { CurrentUser } from '@aval/contract'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { FieldError } from '../../../ui/Field.tsx'
import { IconCamera } from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useChangePictureMutation } from '../api.ts'
import { checkPicture, PICTURE_TYPES } from '../change.ts'

/** A picture that was chosen and is not sent yet; `url` shows it from the browser's own memory. */
interface Chosen {
  file: File
  url: string
}

function usePicture() {
  const { t } = useTranslation('profile')
  const sayFailure = useFailureText()
  const [send, { isLoading: busy }] = useChangePictureMutation()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [error, setError] = useState<string>()
  useEffect(() => () => URL.revokeObjectURL(chosen?.url ?? ''), [chosen])

  const choose = (file: File | undefined) => {
    if (file === undefined) return
    const rule = checkPicture(file)
    setError(rule === null ? undefined : t(`rule.${rule}`))
    setChosen(rule === null ? { file, url: URL.createObjectURL(file) } : null)
  }
  const discard = () => {
    setChosen(null)
    setError(undefined)
  }
  const save = async () => {
    if (chosen === null) return
    const answer = await send(chosen.file)
    if (answer.error === undefined) {
      discard()
      toast.success(answer.data)
      return
    }
    const failure = answer.error as Failure
    if (typeof failure.status === 'number' && failure.status < 500) setError(sayFailure(failure))
    else toast.error(sayFailure(failure))
  }
  return { chosen, error, busy, choose, discard, save }
}

export function PictureCard({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('profile')
  const { chosen, error, busy, choose, discard, save } = usePicture()
  const input = useRef<HTMLInputElement>(null)
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    choose(event.currentTarget.files?.[0])
    // The same file can be chosen again after it was discarded.
    event.currentTarget.value = ''
  }
  const name = [user.first_name, user.last_name].filter((part) => part !== '').join(' ')
  return (
    <section className="card card-pad profile-picture" aria-label={t('picture.label')}>
      <img
        className="profile-photo"
        src={chosen?.url ?? user.avatar}
        alt={t(chosen === null ? 'picture.alt' : 'picture.previewAlt')}
        width={112}
        height={112}
      />
      <div className="profile-names">
        <p className="profile-name">
          <Name text={name === '' ? user.username : name} />
        </p>
        {name === '' ? null : (
          <p className="muted">
            <Name text={user.username} />
          </p>
        )}
      </div>
      <div className="profile-picture-actions">
        {/* Reached through the button beside it: a file input cannot be given a look. */}
        <input
          ref={input}
          type="file"
          accept={PICTURE_TYPES.join(',')}
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t('picture.choose')}
          onChange={onChange}
        />
        {chosen === null ? (
          <Button icon={<IconCamera size={18} stroke={1.6} />} onClick={() => input.current?.click()}>
            {t('picture.choose')}
          </Button>
        ) : (
          <>
            <Button kind="primary" busy={busy} onClick={() => void save()}>
              {t('picture.save')}
            </Button>
            <Button kind="quiet" disabled={busy} onClick={discard}>
              {t('picture.discard')}
            </Button>
          </>
        )}
      </div>
      <FieldError text={error} />
      <p className="muted small">{t('picture.hint')}</p>
    </section>
  )
}
