import { useEffect, useRef, useState } from 'react'
import Cropper from 'react-easy-crop'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldError } from '../../../../ui/Field.tsx'
import { IconZoomIn, IconZoomOut } from '../../../../ui/icons.ts'
import { type Area, drawPart, mostZoom, type OpenedPicture, squareFile } from '../picture.ts'
import 'react-easy-crop/react-easy-crop.css'
import './crop.css'

interface CropDialogProps {
  picture: OpenedPicture
  error: string | undefined
  busy: boolean
  onSave: (square: File | null) => Promise<void>
  onClose: () => void
}

/** Which part of a picture is to show: moved by hand or by arrow keys, zoomed by the wheel, two fingers or the slider. */
export function CropDialog({ picture, error, busy, onSave, onClose }: CropDialogProps) {
  const { t } = useTranslation('identity/profile')
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area | null>(null)
  const { image, url } = picture
  const most = mostZoom({ width: image.naturalWidth, height: image.naturalHeight })
  const save = async () => {
    if (area !== null) await onSave(await squareFile(image, area))
  }
  return (
    <Dialog title={t('picture.title')} width={440} onClose={onClose}>
      <div className="stack-14">
        <div className="crop-stage">
          <Cropper
            image={url}
            crop={crop}
            zoom={zoom}
            minZoom={1}
            maxZoom={most}
            aspect={1}
            cropShape="round"
            showGrid={false}
            keyboardStep={6}
            cropperProps={{ 'aria-label': t('picture.crop'), role: 'group' }}
            disableAutomaticStylesInjection
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(_percent, pixels) => setArea(pixels)}
          />
        </div>
        <p className="muted small">{t('picture.how')}</p>
        <div className="row-16">
          <Zoom zoom={zoom} most={most} onZoom={setZoom} />
          <Preview image={image} area={area} />
        </div>
        <FieldError text={error} />
        <div className="row-8 row-end crop-actions">
          <Button kind="quiet" disabled={busy} onClick={onClose}>
            {t('picture.discard')}
          </Button>
          <Button kind="primary" busy={busy} disabled={area === null} onClick={() => void save()}>
            {t('picture.save')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

const STEP = 0.05

function Zoom({ zoom, most, onZoom }: { zoom: number; most: number; onZoom: (zoom: number) => void }) {
  const { t } = useTranslation('identity/profile')
  const by = (step: number) => onZoom(Math.min(most, Math.max(1, zoom + step)))
  return (
    <div className="crop-zoom">
      <IconButton Icon={IconZoomOut} label={t('picture.zoomOut')} onClick={() => by(-4 * STEP)} />
      <input
        type="range"
        aria-label={t('picture.zoom')}
        min={1}
        max={most}
        step={STEP}
        value={zoom}
        onChange={(event) => onZoom(event.currentTarget.valueAsNumber)}
      />
      <IconButton Icon={IconZoomIn} label={t('picture.zoomIn')} onClick={() => by(4 * STEP)} />
    </div>
  )
}

/** The size it has in the header and on this page. */
const PREVIEW = 72

function Preview({ image, area }: { image: HTMLImageElement; area: Area | null }) {
  const { t } = useTranslation('identity/profile')
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current !== null && area !== null) drawPart(canvas.current, image, area)
  }, [image, area])
  return (
    <canvas
      ref={canvas}
      className="crop-preview"
      width={2 * PREVIEW}
      height={2 * PREVIEW}
      role="img"
      aria-label={t('picture.preview')}
    />
  )
}
