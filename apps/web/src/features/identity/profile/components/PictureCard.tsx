import type { CurrentUser } from '@aval/contract'
import { type ChangeEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Avatar } from '../../../../ui/Avatar.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { FieldError } from '../../../../ui/Field.tsx'
import { IconCamera } from '../../../../ui/icons.ts'
import { Name } from '../../../../ui/Name.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { useFailureToast } from '../../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../../ui/useSingleFlight.ts'
import { useChangePictureMutation } from '../api.ts'
import { checkFile, type OpenedPicture, openPicture, PICTURE_TYPES, type PictureRule } from '../picture.ts'

/** Cutting a picture takes a library that few visits need. */
const loadCrop = () => import('./CropDialog.tsx')
const CropDialog = lazy(async () => ({ default: (await loadCrop()).CropDialog }))

function usePicture() {
  const { t } = useTranslation('identity/profile')
  const sayFailure = useFailureText()
  const sayFailed = useFailureToast()
  const [send, { isLoading: busy }] = useChangePictureMutation()
  const [opened, setOpened] = useState<OpenedPicture | null>(null)
  const [opening, setOpening] = useState(false)
  const [error, setError] = useState<string>()
  useEffect(() => () => URL.revokeObjectURL(opened?.url ?? ''), [opened])
  const refuse = (rule: PictureRule) => setError(t(`rule.${rule}`))

  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    setError(undefined)
    const rule = checkFile(file)
    if (rule !== null) return refuse(rule)
    setOpening(true)
    const picture = await openPicture(file)
    setOpening(false)
    if (typeof picture === 'string') refuse(picture)
    else setOpened(picture)
  }
  const close = () => setOpened(null)
  const save = useSingleFlight(async (square: File | null) => {
    if (square === null) return refuse('pictureBroken')
    const answer = await send(square)
    if (answer.error === undefined) {
      close()
      toast.success(answer.data)
      return
    }
    // The dialog stays: nothing of what was chosen is lost.
    const failure = answer.error as Failure
    if (typeof failure.status === 'number' && failure.status < 500) setError(sayFailure(failure))
    else sayFailed(failure)
  })
  return { opened, opening, error, busy, choose, close, save }
}

export function PictureCard({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const { opened, opening, error, busy, choose, close, save } = usePicture()
  const input = useRef<HTMLInputElement>(null)
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    void choose(event.currentTarget.files?.[0])
    // The same file can be chosen again after the dialog was closed.
    event.currentTarget.value = ''
  }
  const name = [user.first_name, user.last_name].filter((part) => part !== '').join(' ')
  return (
    <section className="card card-pad profile-picture" aria-label={t('picture.label')}>
      <Avatar user={user} className="profile-photo" size={112} alt={t('picture.alt')} />
      <div className="profile-names">
        <p className="h2 profile-name">
          <Name text={name === '' ? user.username : name} />
        </p>
        {name === '' ? null : (
          <p className="muted">
            <Name text={user.username} />
          </p>
        )}
      </div>
      <div className="row-8 profile-picture-actions">
        {/* Reached through the button beside it: a file input cannot be given a look. */}
        <input
          ref={input}
          type="file"
          accept={PICTURE_TYPES.join(',')}
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t('picture.file')}
          onChange={onChange}
        />
        <Button
          icon={<IconCamera size={18} stroke={1.6} />}
          busy={opening}
          onPointerEnter={() => void loadCrop().catch(() => undefined)}
          onClick={() => input.current?.click()}
        >
          {t('picture.choose')}
        </Button>
      </div>
      <FieldError text={opened === null ? error : undefined} />
      <p className="muted small">{t('picture.hint')}</p>
      {opened === null ? null : (
        <Suspense fallback={null}>
          <CropDialog picture={opened} error={error} busy={busy} onSave={save} onClose={close} />
        </Suspense>
      )}
    </section>
  )
}
