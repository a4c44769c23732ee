import { QRCodeSVG } from 'qrcode.react'
import './qr.css'

/** Always dark on white: scanners read an inverted code badly. */
export function QrCode({ value, size = 256, label }: { value: string; size?: number; label: string }) {
  return (
    <div className="qr" style={{ maxWidth: size + 24 }}>
      <QRCodeSVG
        value={value}
        size={size}
        level="L"
        boostLevel={false}
        marginSize={0}
        title={label}
        role="img"
        aria-label={label}
      />
    </div>
  )
}
